// A number between declared bounds: the randomizers of the Python package, on its grid.

import { exactly } from "./exact.js";
import { bitsFor, noise } from "./oracles.js";

const SNAP = 1e-9;

/** A number in steps above the lowest bound; what is beyond the bounds becomes the nearest of them. */
export function position({ low, high, steps }, number) {
  if (!Number.isFinite(number)) throw new RangeError("An answer must be a finite number.");
  const inside = Math.min(Math.max(number, low), high);
  const at = Math.min(Math.max((inside - low) * (steps / (high - low)), 0), steps);
  const nearest = Math.round(at);
  return Math.abs(at - nearest) < SNAP ? nearest : at;
}

/** A neighboring point of the grid, drawn so that its mean is the number. */
function point(grid, number, chance) {
  const at = position(grid, number);
  const under = Math.floor(at);
  return under + chance.coin(exactly(at - under));
}

/** One bit. */
const duchi = ({ grid, coin }) => ({
  outputs: 2,
  draw: (number, chance) => +(chance.coin(exactly(position(grid, number) / grid.steps)) !== noise(coin, chance)),
});

/** A cell of a window that slides with the number, or with noise one outside it. */
const window = ({ grid, window: { steps, width, coin } }) => ({
  outputs: steps + width,
  draw: (number, chance) => {
    const code = point(grid, number, chance);
    if (!noise(coin, chance)) return code + chance.below(width);
    const far = chance.below(steps);
    return far >= code ? far + width : far;
  },
});

/** The window or, with the rest of the probability, the one bit, whose two reports come after those of the window. */
function hybrid(parameters) {
  const [wide, bit] = [window(parameters.piecewise), duchi(parameters.duchi)];
  return {
    outputs: wide.outputs + 2,
    draw: (number, chance) =>
      chance.coin(exactly(parameters.alpha)) ? wide.draw(number, chance) : wide.outputs + bit.draw(number, chance),
  };
}

/** Noise of declared whole weights, drawn again until the point lies between the bounds. */
function redrawn({ grid, weights }) {
  const half = weights.map(BigInt);
  const both = [...half.slice(1).reverse(), ...half];
  return {
    outputs: grid.steps + 1,
    draw: (number, chance) => {
      const code = point(grid, number, chance);
      for (;;) {
        const moved = code + chance.pick(both) - grid.steps;
        if (moved >= 0 && moved <= grid.steps) return moved;
      }
    },
  };
}

const MADE = {
  "Duchi one bit": duchi,
  piecewise: window,
  "square wave": window,
  hybrid,
  "bounded Laplace": redrawn,
  "calibrated staircase": redrawn,
};

/** Randomizers of numbers by the name of their mechanism. */
export const NUMBERS = Object.fromEntries(
  Object.entries(MADE).map(([name, make]) => [
    name,
    (parameters) => {
      const { outputs, draw } = make(parameters);
      return { widths: [bitsFor(outputs)], draw: (number, chance) => [draw(number, chance)] };
    },
  ]),
);

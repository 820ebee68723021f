// A number between declared bounds: the randomizers of the Python package, on its grid. `reads` says what a report is published
// as: a number, or whether its one bit is a yes.

import { exactly } from "./exact.js";
import { bitsFor, noise, noiseOf } from "./oracles.js";

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
  reads: (bit) => bit === 1,
});

/** A cell of a window that slides with the number, or with noise one outside it. Cells are read as numbers `spread` steps apart. */
const window = (spread) => ({ grid, window: { steps, width, coin } }) => ({
  outputs: steps + width,
  reads: (cell) => (grid.low + grid.high) / 2 + ((grid.high - grid.low) / steps) * (cell - (steps + width - 1) / 2) * spread(coin, width / steps),
  draw: (number, chance) => {
    const code = point(grid, number, chance);
    if (!noise(coin, chance)) return code + chance.below(width);
    const far = chance.below(steps);
    return far >= code ? far + width : far;
  },
});

const places = window(() => 1);

/** So far apart that numbers are right on average: the mean of the cell moves by p - (1-p)·width/steps for each step of the number. */
const unbiased = window((coin, share) => 1 / (1 - noiseOf(coin) * (1 + share)));

/** The window or, with the rest of the probability, the one bit, whose two reports come after those of the window. */
function hybrid(parameters) {
  const [wide, bit] = [unbiased(parameters.piecewise), duchi(parameters.duchi)];
  return {
    outputs: wide.outputs + 2,
    draw: (number, chance) =>
      chance.coin(exactly(parameters.alpha)) ? wide.draw(number, chance) : wide.outputs + bit.draw(number, chance),
    reads: (code) => (code < wide.outputs ? wide.reads(code) : bit.reads(code - wide.outputs)),
  };
}

/** Noise of declared whole weights, drawn again until the point lies between the bounds. */
function redrawn({ grid, weights }) {
  const half = weights.map(BigInt);
  const both = [...half.slice(1).reverse(), ...half];
  return {
    outputs: grid.steps + 1,
    reads: (code) => grid.low + (code * (grid.high - grid.low)) / grid.steps,
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
  piecewise: unbiased,
  "square wave": places,
  hybrid,
  "bounded Laplace": redrawn,
  "calibrated staircase": redrawn,
};

/** Randomizers of numbers by the name of their mechanism. */
export const NUMBERS = Object.fromEntries(
  Object.entries(MADE).map(([name, make]) => [
    name,
    (parameters) => {
      const { outputs, draw, reads } = make(parameters);
      return { outputs, widths: [bitsFor(outputs)], draw: (number, chance) => [draw(number, chance)], reads: ([code]) => reads(code) };
    },
  ]),
);

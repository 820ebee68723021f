// How long a phase still goes on: by the clock of the server, from the seconds that the page was told; the clock of this
// machine is not asked what time it is.
"use strict";
(function () {
  const SECONDS = [86400, 3600, 60, 1];
  let begun = performance.now(), ticking = null;

  // the same as `left_told` of the server
  function told(seconds, units) {
    const parts = SECONDS.map(function (unit, i) { return Math.floor((i ? seconds % SECONDS[i - 1] : seconds) / unit); });
    let first = parts.findIndex(function (n) { return n > 0; });
    if (first < 0) { first = parts.length - 1; }
    return [first, first + 1].filter(function (i) { return i === first || parts[i]; }).map(function (i) {
      return parts[i] + " " + units[i];
    }).join(" ");
  }

  // nobody loses a file that was chosen, what was typed, a token, or why something was refused
  function kept() {
    return document.querySelector("[role=alert], #token") || Array.from(document.querySelectorAll("input:not([type])")).some(function (one) {
      return one.value !== one.defaultValue;
    }) || Array.from(document.querySelectorAll("input[type=file]")).some(function (one) { return one.files.length > 0; });
  }

  function tick() {
    const gone = Math.floor((performance.now() - begun) / 1000);
    document.querySelectorAll("[data-left]").forEach(function (one) {
      const left = one.dataset.left - gone;
      if (left < -1 && one.dataset.left > 0 && !kept()) { window.location.reload(); }
      one.textContent = told(Math.max(0, left), one.dataset.units.split(" "));
    });
  }

  function start() {
    begun = performance.now();
    clearInterval(ticking);
    if (document.querySelector("[data-left]")) { ticking = setInterval(tick, 1000); }
  }

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSettle", start);
}());

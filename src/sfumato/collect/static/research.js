// Listens for reports that were counted, and has what the page shows drawn again; htmx fetches it.
"use strict";
(function () {
  let stream = null;

  function told(name) {
    const main = document.querySelector("main[data-stream]");
    if (main) { document.getElementById("state").textContent = main.dataset[name]; }
  }

  function listen() {
    if (stream) { stream.close(); stream = null; }
    const main = document.querySelector("main[data-stream]");
    if (!main) { return; }
    stream = new EventSource(main.dataset.stream);
    stream.onopen = function () { told("live"); };
    stream.onerror = function () { told("lost"); };
    stream.addEventListener("counted", function (event) {
      const found = document.getElementById("found");
      if (found && found.dataset.batches !== event.data) { htmx.trigger(found, "counted"); }
    });
  }

  document.addEventListener("DOMContentLoaded", listen);
  document.addEventListener("htmx:historyRestore", listen);
})();

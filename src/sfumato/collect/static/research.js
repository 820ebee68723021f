// Listens for reports that were counted, and has what the page shows drawn again; htmx fetches it.
"use strict";
(function () {
  const PATIENCE = 5000;
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
    stream.onerror = function () {
      told("lost");
      // the session is over, or the server takes no more streams: the page says which
      if (stream.readyState === EventSource.CLOSED) { setTimeout(function () { window.location.reload(); }, PATIENCE); }
    };
    stream.addEventListener("counted", function (event) {
      const found = document.getElementById("found");
      if (found && found.dataset.batches !== event.data) { htmx.trigger(found, "counted"); }
    });
  }

  // what is no page of numbers does not take their place
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (event.detail.target.id === "found" && !event.detail.xhr.responseText.includes('id="found"')) {
      event.detail.shouldSwap = false;
      setTimeout(function () { window.location.reload(); }, PATIENCE);
    }
  });
  document.addEventListener("DOMContentLoaded", listen);
  document.addEventListener("htmx:historyRestore", listen);
})();

// What htmx does not do on the pages of any server: follow work until it is over, press with keys, take a file that is dropped.
"use strict";
(function () {
  let source = null;

  function follow() {
    if (source) { source.close(); source = null; }
    const line = document.querySelector("[data-events]");
    if (!line) { return; }
    source = new EventSource(line.dataset.events);
    source.onmessage = function (event) {
      const told = JSON.parse(event.data);
      const bar = line.querySelector("progress");
      if (told.percent === null) { bar.removeAttribute("value"); } else { bar.value = told.percent; }
      line.querySelector("output").textContent = told.message;
    };
    source.addEventListener("over", function () {
      source.close();
      window.location.reload();
    });
  }

  // keys that buttons and links declare; arrow keys between cards are the browser's own for radios
  document.addEventListener("keydown", function (event) {
    const typing = event.target.matches("input:not([type=radio]):not([type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) { return; }
    const wanted = document.querySelector('[data-key="' + CSS.escape(event.key) + '"]');
    if (wanted) { event.preventDefault(); wanted.click(); }
  });

  // a file may be dropped anywhere on the form that takes one
  ["dragover", "dragleave", "drop"].forEach(function (name) {
    document.addEventListener(name, function (event) {
      const input = document.querySelector(".drop input[type=file]");
      if (!input || !event.dataTransfer) { return; }
      const form = input.form;
      event.preventDefault();
      form.classList.toggle("over", name === "dragover" && form.contains(event.target));
      if (name === "drop" && form.contains(event.target) && (input.multiple ? event.dataTransfer.files.length > 0 : event.dataTransfer.files.length === 1)) {
        input.files = event.dataTransfer.files;
        form.requestSubmit();
      }
    });
  });

  // A form that asks a server may ask it again and again; what was typed into it, a token too, stays in this tab alone.
  let waiting = null;

  function again() {
    clearTimeout(waiting);
    const box = document.querySelector("form[data-live] input[data-again]");
    if (!box) { return; }
    box.parentElement.hidden = false;
    if (box.checked) {
      waiting = setTimeout(function () { if (box.isConnected && box.checked) { box.form.requestSubmit(); } }, 1000 * box.dataset.again);
    }
  }

  document.addEventListener("change", function (event) {
    if (!event.target.matches("form[data-live] input[data-again]")) { return; }
    if (event.target.checked) { event.target.form.requestSubmit(); } else { again(); }
  });
  document.addEventListener("DOMContentLoaded", again);
  document.addEventListener("htmx:afterSettle", again);
  document.addEventListener("htmx:sendError", again);

  // What was pressed is done before anything else is: until its page is there, no other button of the old one is pressed.
  document.addEventListener("htmx:beforeRequest", function (event) {
    const main = document.getElementById("main");
    if (main && event.detail.target === document.body && event.detail.requestConfig.verb !== "get") { main.inert = true; }
  });
  document.addEventListener("htmx:afterRequest", function () {
    const main = document.getElementById("main");
    if (main) { main.inert = false; }
  });

  document.addEventListener("DOMContentLoaded", follow);
  document.addEventListener("htmx:afterSettle", follow);
}());

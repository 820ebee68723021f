// What htmx does not do: follow a job until it is over, move with keys, undo with one, show the node that matters, and take a
// file that is dropped.
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

  // n: the next column that waits for a decision; u: undo; arrow keys between cards are the browser's own for radios
  document.addEventListener("keydown", function (event) {
    const typing = event.target.matches("input:not([type=radio]):not([type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) { return; }
    const wanted = document.querySelector('[data-key="' + CSS.escape(event.key) + '"]');
    if (wanted) { event.preventDefault(); wanted.click(); }
  });

  document.addEventListener("click", function (event) {
    const next = event.target.closest("[data-next]");
    if (!next) { return; }
    const cards = Array.from(document.querySelectorAll(next.dataset.next));
    const here = cards.findIndex(function (card) { return card.contains(document.activeElement); });
    const card = cards[(here + 1) % cards.length];
    if (card) { (card.querySelector("input:checked") || card).focus(); card.scrollIntoView({block: "center"}); }
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

  // a value or a group is dragged to another group: it is ticked, the group is chosen, and the form does what its button does
  let dragged = null;

  document.addEventListener("dragstart", function (event) {
    const member = event.target.closest && event.target.closest(".grouped [draggable]");
    dragged = member;
    if (member) { event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", ""); }
  });
  ["dragover", "dragleave", "drop", "dragend"].forEach(function (name) {
    document.addEventListener(name, function (event) {
      const into = dragged && event.target.closest && event.target.closest(".grouped [data-into]");
      document.querySelectorAll(".grouped .over").forEach(function (one) { one.classList.remove("over"); });
      if (name === "dragend") { dragged = null; return; }
      if (!into || dragged.contains(into)) { return; }
      event.preventDefault();
      if (name === "dragover") { into.classList.add("over"); }
      if (name !== "drop") { return; }
      const form = into.closest("form");
      dragged.querySelector("input[type=checkbox]").checked = true;
      form.elements.into.value = into.dataset.into;
      dragged = null;
      form.requestSubmit(form.querySelector("[name=do][value=move]"));
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

  // A form that saves itself loses nothing: what was chosen before it could hear is saved as soon as it can, and what is
  // chosen while an answer is on its way is chosen again on the page that arrives.
  let sent = null, late = null;

  function chosen(form) {
    const found = new Map();
    form.querySelectorAll("input[type=radio]:checked, select").forEach(function (one) { found.set(one.name, one.value); });
    return found;
  }

  function choose(form, name, value) {
    form.querySelectorAll("[name=" + CSS.escape(name) + "]").forEach(function (one) {
      if (one.type === "radio") { one.checked = one.value === value; } else { one.value = value; }
    });
  }

  function isSaved(one) {
    return one.type === "radio" ? one.checked === one.defaultChecked
      : Array.from(one.options).every(function (option) { return option.selected === option.defaultSelected; })
        || !Array.from(one.options).some(function (option) { return option.defaultSelected; }) && one.selectedIndex <= 0;
  }

  function catchUp() {
    const form = document.querySelector("form[data-saves]");
    if (!form) { return; }
    if (late) { late.forEach(function (value, name) { choose(form, name, value); }); }
    late = null;
    const open = Array.from(form.querySelectorAll("input[type=radio], select")).some(function (one) { return !isSaved(one); });
    if (open) { form.dispatchEvent(new Event("change", {bubbles: true})); }
  }

  document.addEventListener("htmx:beforeRequest", function (event) {
    sent = event.target.matches("form[data-saves]") ? chosen(event.target) : null;
  });
  document.addEventListener("htmx:beforeSwap", function (event) {
    const form = document.querySelector("form[data-saves]");
    late = null;
    if (!form || !sent || event.detail.xhr.status !== 200) { return; }
    late = new Map(Array.from(chosen(form)).filter(function (pair) { return sent.get(pair[0]) !== pair[1]; }));
    sent = null;
  });
  document.addEventListener("DOMContentLoaded", catchUp);
  document.addEventListener("htmx:afterSettle", catchUp);
  // a picture that is wider than its box shows the node that matters first, at once and without motion
  function center() {
    const box = document.querySelector("svg.lattice") && document.querySelector("svg.lattice").parentElement;
    const node = box && ["[aria-current]", ".chosen", ".optimum"].map(function (one) { return box.querySelector(".node" + one); }).find(Boolean);
    if (!node) { return; }
    const at = node.getBoundingClientRect(), outer = box.getBoundingClientRect();
    box.scrollLeft += at.left + at.width / 2 - outer.left - outer.width / 2;
    box.scrollTop += at.top + at.height / 2 - outer.top - outer.height / 2;
  }

  document.addEventListener("DOMContentLoaded", center);
  document.addEventListener("htmx:afterSettle", center);
  document.addEventListener("DOMContentLoaded", follow);
  document.addEventListener("htmx:afterSettle", follow);
}());

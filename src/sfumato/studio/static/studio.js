// What only pages of the studio do: the next column that waits for a decision, groups that are dragged, forms that save
// themselves, and the node that matters.
"use strict";
(function () {
  document.addEventListener("click", function (event) {
    const next = event.target.closest("[data-next]");
    if (!next) { return; }
    const cards = Array.from(document.querySelectorAll(next.dataset.next));
    const here = cards.findIndex(function (card) { return card.contains(document.activeElement); });
    const card = cards[(here + 1) % cards.length];
    if (card) { (card.querySelector("input:checked") || card).focus(); card.scrollIntoView({block: "center"}); }
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
}());

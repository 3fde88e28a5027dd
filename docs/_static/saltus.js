// For people who use keys and screen readers: captions of the table of contents have a level, what scrolls can be reached.
// Names in tables break at what joins their words.
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll('.caption[role="heading"]')) caption.setAttribute("aria-level", "2");
  for (const box of document.querySelectorAll("pre, .table-wrapper, div.math")) box.tabIndex = 0;
  for (const cell of document.querySelectorAll(".table-wrapper :is(th, td)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode()) if (/\w[_.]\w{3}|[a-z][A-Z][a-z]/.test(texts.currentNode.data)) found.push(texts.currentNode);
    for (const text of found) text.replaceWith(...text.data.split(/(?<=\w_+)(?=[a-z])|(?<=[a-z]\.)(?=[a-z])/i).flatMap((part) => part.split(/(?<=[a-z0-9])(?=[A-Z][a-z])/)).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
  }
});

// For people who use keys and screen readers: captions of the table of contents have a level, what scrolls can be reached.
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll('.caption[role="heading"]')) caption.setAttribute("aria-level", "2");
  for (const box of document.querySelectorAll("pre, .table-wrapper, div.math")) box.tabIndex = 0;
});

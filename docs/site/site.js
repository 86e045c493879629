// The theme hides its search where pages are files, since browsers let these read no index. A note stands in its place.
if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const header = document.querySelector(".md-header__inner");
    const note = document.createElement("span");
    note.className = "callis-note";
    note.textContent = "Search: python3 -m http.server --directory build/docs-site, then http://localhost:8000";
    if (header) header.append(note);
  });
}

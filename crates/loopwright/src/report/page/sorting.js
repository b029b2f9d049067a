document.querySelectorAll("table.sortable").forEach(table => {
  const body = table.tBodies[0];
  const key = (row, column) => row.cells[column].dataset.key || row.cells[column].textContent;
  table.querySelectorAll("thead button").forEach((button, column) => {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      table.querySelectorAll("thead th").forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      const compare = (a, b) => key(a, column).localeCompare(key(b, column), "en", { numeric: true });
      Array.from(body.rows).sort((a, b) => direction * compare(a, b)).forEach(row => body.append(row));
    });
  });
});
document.querySelectorAll("input.filter").forEach(input => {
  input.hidden = false;
  const rows = Array.from(document.getElementById(input.dataset.table).tBodies[0].rows);
  input.addEventListener("input", () => rows.forEach(row => {
    row.hidden = !row.textContent.toLowerCase().includes(input.value.toLowerCase());
  }));
});

(function () {
  var lit = [];
  function lines(hash) {
    var found = /^#L(\d+)(?:-L(\d+))?$/.exec(hash);
    if (!found) return null;
    var a = +found[1], b = +(found[2] || a);
    return [Math.min(a, b), Math.max(a, b)];
  }
  function show() {
    lit.forEach(function (line) { line.classList.remove("on"); });
    lit = [];
    var range = lines(location.hash);
    if (!range) return;
    for (var n = range[0]; n <= range[1]; n++) {
      var line = document.getElementById("L" + n);
      if (!line) break;
      line.classList.add("on");
      lit.push(line);
    }
    if (lit[0]) lit[0].scrollIntoView({ block: "start" });
  }
  addEventListener("hashchange", show);
  document.querySelector("main pre").addEventListener("click", function (event) {
    var line = event.target.closest(".l");
    if (!line || event.clientX > line.getBoundingClientRect().left + parseFloat(getComputedStyle(line, "::before").width) + 12) return;
    if (!getSelection().isCollapsed) return;
    var n = +line.id.slice(1), range = event.shiftKey && lines(location.hash);
    location.hash = range ? "#L" + Math.min(n, range[0]) + "-L" + Math.max(n, range[0]) : "#" + line.id;
  });
  show();
})();

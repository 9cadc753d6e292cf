"use strict";
(() => {
  const data = JSON.parse(document.getElementById("game").textContent);
  const board = document.querySelector("#board svg");
  const said = document.getElementById("said");
  const items = [...document.querySelectorAll(".list li[data-ply]")];
  const now = document.querySelector(".cv-now");
  const hits = [...document.querySelectorAll(".cv-hit")];
  const last = data.boards.length - 1;
  const space = "http://www.w3.org/2000/svg";
  let at = 0;
  let flipped = false;

  const add = (name, attributes, text) => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text) element.textContent = text;
    board.append(element);
  };
  // Column and row of the picture from a file and a rank, 0 at Red's left.
  const point = (file, rank) => [
    data.margin + data.step * (flipped ? 8 - file : file),
    data.margin + data.step * (flipped ? rank : 9 - rank),
  ];
  const square = (name) => [name.charCodeAt(0) - 97, Number(name[1])];

  const arrow = (move, mark) => {
    const [[x1, y1], [x2, y2]] = [move.slice(0, 2), move.slice(2)].map((s) => point(...square(s)));
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const on = (along, aside) =>
      `${(x1 + ux * along - uy * aside).toFixed(1)} ${(y1 + uy * along + ux * aside).toFixed(1)}`;
    add("path", { class: `xq-arrow ${mark}`, d: `M${on(15, 0)}L${on(length - 20, 0)}` });
    const head = [on(length - 9, 0), on(length - 22, 7), on(length - 22, -7)];
    add("polygon", { class: `xq-head ${mark}`, points: head.join(" ") });
  };

  const draw = () => {
    const old = ".xq-disc,.xq-name,.xq-ring,.xq-arrow,.xq-head";
    for (const element of board.querySelectorAll(old)) element.remove();
    let [file, rank] = [0, 9];
    for (const letter of data.boards[at]) {
      if (letter === "/") [file, rank] = [0, rank - 1];
      else if (letter >= "1" && letter <= "9") file += Number(letter);
      else {
        const side = letter < "a" ? "xq-red" : "xq-black";
        const [x, y] = point(file, rank);
        add("circle", { class: `xq-disc ${side}`, cx: x, cy: y, r: 17 });
        add("text", { class: `xq-name ${side}`, x, y: y + 8.5 }, data.names[letter]);
        file += 1;
      }
    }
    if (at > 0) arrow(data.moves[at - 1], "xq-move");
    if (at > 0 && data.better[at - 1]) arrow(data.better[at - 1], "xq-line");
  };

  const show = (ply) => {
    at = Math.max(0, Math.min(last, ply));
    draw();
    items.forEach((item) => item.classList.toggle("now", Number(item.dataset.ply) === at));
    const item = items.find((one) => Number(one.dataset.ply) === at);
    said.replaceChildren();
    if (item) {
      said.append(...[...item.querySelectorAll("button span,.remark")].map((one) => {
        const copy = one.cloneNode(true);
        copy.append(" ");
        return copy;
      }));
      const list = item.getBoundingClientRect();
      if (list.top < 0 || list.bottom > innerHeight) item.scrollIntoView({ block: "nearest" });
    } else {
      said.textContent = data.start;
    }
    const hit = hits[at];
    if (now && hit) now.setAttribute("transform", `translate(${hit.dataset.x})`);
  };

  const flip = () => {
    flipped = !flipped;
    // The numbers of the files change their sides and their order.
    const texts = [...board.querySelectorAll(".xq-text")];
    const [width, height] = [data.step * 8 + data.margin * 2, data.step * 9 + data.margin * 2];
    for (const text of texts) {
      text.setAttribute("x", width - Number(text.getAttribute("x")));
      text.setAttribute("y", height + 12 - Number(text.getAttribute("y")));
    }
    draw();
  };

  const actions = {
    first: () => show(0),
    back: () => show(at - 1),
    on: () => show(at + 1),
    last: () => show(last),
    mistake: () => {
      const next = data.better.findIndex((better, i) => better && i + 1 > at);
      if (next >= 0) show(next + 1);
    },
    flip,
  };
  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }
  for (const item of items) {
    item.querySelector("button").addEventListener("click", () => show(Number(item.dataset.ply)));
  }
  for (const hit of hits) hit.addEventListener("click", () => show(Number(hit.dataset.ply)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!name) return;
    event.preventDefault();
    actions[name]();
  });
  show(0);
})();

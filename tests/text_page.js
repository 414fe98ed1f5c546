// Does what the work page does with the events of a text tool: it keeps the marks and gives them back.

import { TextTool } from "/static/text-tool.js";
window.openTool = (options, marks) => {
  window.events = [];
  window.marks = new Map(marks.map((mark) => [mark.id, mark]));
  window.tool?.destroy();
  const tool = (window.tool = new TextTool(document.getElementById("place"), options));
  const show = () => tool.setMarks([...window.marks.values()]);
  const change = {
    create: ({ start, end, category }) => {
      const id = `m-${window.marks.size}-${start}-${end}`;
      window.marks.set(id, { id, start, end, category });
      show();
      tool.activate(id);
    },
    change: ({ id, start, end }) => {
      window.marks.set(id, { ...window.marks.get(id), start, end });
      show();
    },
    remove: ({ id }) => { window.marks.delete(id); show(); },
    link: ({ from, to, relations }) => {
      const mark = window.marks.get(from);
      window.marks.set(from, { ...mark, relations: { ...mark.relations, [relations[0]]: to } });
      show();
    },
    split: ({ offset }) => {
      const tile = [...window.marks.values()].find((mark) => mark.start < offset && offset < mark.end);
      window.marks.set(tile.id, { ...tile, end: offset });
      window.marks.set(`${tile.id}'`, { ...tile, id: `${tile.id}'`, start: offset });
      show();
    },
    join: ({ offset }) => {
      const all = [...window.marks.values()];
      const left = all.find((mark) => mark.end === offset);
      const right = all.find((mark) => mark.start === offset);
      window.marks.set(left.id, { ...left, end: right.end });
      window.marks.delete(right.id);
      show();
    },
  };
  for (const type of ["select", "activate", "create", "change", "remove", "split", "join", "link"]) {
    tool.addEventListener(type, ({ detail }) => {
      window.events.push([type, detail]);
      change[type]?.(detail);
    });
  }
  show();
};
window.isReady = true;

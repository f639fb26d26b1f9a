// The source with the cost of each line, and the line that runs.
import { html } from './draw.js';

// What does not fit a line goes on below it, further in.
const hanging = (text) => `--indent: ${text.search(/\S|$/) + 2}ch`;

export class SourceView {
  constructor(root, run, files) {
    this.root = root;
    this.run = run;
    this.files = files;
    this.file = null;
  }

  show(step, marked) {
    const line = this.run.recording.lines[step.line];
    const file = this.files.find((f) => f.path === line?.file) ?? this.files[0];
    if (!file) {
      this.root.replaceChildren(html('p', {}, this.run.note || 'The source of this kernel is not there.'));
      return;
    }
    if (file !== this.file) this.draw(file);
    for (const row of this.rows) {
      const number = Number(row.dataset.line);
      row.classList.toggle('current', number === line.line);
      row.classList.toggle('marked', marked.some((m) => m.file === file.path && m.line === number));
    }
    this.reveal(this.rows[line.line - 1]);
  }

  // Scrolls no further than needed, and keeps two lines around it.
  reveal(row) {
    if (!row) return;
    const box = row.parentElement;
    const around = 2 * row.offsetHeight;
    const top = row.offsetTop - box.offsetTop;
    if (top - around < box.scrollTop) box.scrollTop = top - around;
    const bottom = top + row.offsetHeight + around - box.clientHeight;
    if (bottom > box.scrollTop) box.scrollTop = bottom;
  }

  draw(file) {
    this.file = file;
    const costs = new Map();
    this.run.recording.lines.forEach((line, i) => {
      if (line.file !== file.path) return;
      const cost = this.run.recording.line_instructions?.[i] ?? 0;
      costs.set(line.line, (costs.get(line.line) ?? 0) + cost);
    });
    const digits = (numbers) => Math.max(...numbers.map((n) => `${n}`.length));
    const lines = file.text.split('\n');
    const widths = `--number: ${digits([lines.length])}ch; --cost: ${digits([0, ...costs.values()])}ch`;
    this.rows = lines.map((text, i) =>
      html('div', { class: 'line', 'data-line': i + 1 },
        html('span', { class: 'number' }, `${i + 1}`),
        html('span', { class: 'cost' }, costs.has(i + 1) ? `${costs.get(i + 1)}` : ''),
        html('code', { style: hanging(text) }, text || ' ')));
    this.root.replaceChildren(
      html('header', {}, html('b', {}, file.name), html('span', {}, 'cost: instructions of warps')),
      html('div', { class: 'lines', tabindex: 0, role: 'region', 'aria-label': 'source', style: widths }, this.rows));
  }
}

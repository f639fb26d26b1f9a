// Elements of HTML and SVG, made in one call: html('p', { class: 'note' }, 'text', child).

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const html = (tag, attributes, ...children) =>
  made(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  made(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

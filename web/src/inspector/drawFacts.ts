/** Facts as a small graph by Cytoscape, which is loaded with the first of them. */

import cytoscape, { type Core } from "cytoscape";
import type { Drawing } from "./paths";

type Look = Record<"text" | "line" | "paper" | "accent" | "answer", string>;

// Cytoscape adds a <style> of one rule to a page unless an element of this name is there. The page's policy allows no
// such element; the rule is in style.css.
const RULE = "__________cytoscape_stylesheet";

const COLUMN = 230;
const ROW = 56;

/** Draw facts into an element; `open` is called with the node that is chosen. */
export function drawFacts(into: HTMLElement, drawing: Drawing, look: Look, open: (id: string) => void): Core {
  if (!document.getElementById(RULE)) {
    const stand = document.createElement("meta");
    stand.id = RULE;
    document.head.append(stand);
  }
  const drawn = cytoscape({
    container: into,
    elements: [
      ...drawing.nodes.map(({ id, label, role, column, row }) => ({
        data: { id, label: shortened(label) },
        classes: role,
        // Every other column stands a little lower, so that no edge runs through a node between its ends.
        position: { x: column * COLUMN, y: (row + (column % 2) / 4) * ROW },
      })),
      ...drawing.edges.map(({ id, from, to, label, onPath }) => ({
        data: { id, source: from, target: to, label: shortened(label) },
        classes: onPath ? "path" : "",
      })),
    ],
    style: [
      {
        selector: "node",
        style: {
          label: "data(label)",
          color: look.text,
          "font-size": 12,
          "text-valign": "bottom",
          "text-margin-y": 4,
          "text-background-color": look.paper,
          "text-background-opacity": 0.8,
          "background-color": look.line,
          width: 18,
          height: 18,
        },
      },
      { selector: "node.question", style: { "background-color": look.accent, shape: "round-rectangle" } },
      { selector: "node.answer", style: { "background-color": look.answer, shape: "diamond", width: 22, height: 22 } },
      {
        selector: "edge",
        style: {
          label: "data(label)",
          color: look.text,
          "font-size": 10,
          "text-background-color": look.paper,
          "text-background-opacity": 0.8,
          "text-rotation": "autorotate",
          "curve-style": "bezier",
          "target-arrow-shape": "triangle",
          "line-color": look.line,
          "target-arrow-color": look.line,
          width: 1.5,
        },
      },
      { selector: "edge.path", style: { "line-color": look.accent, "target-arrow-color": look.accent, width: 4 } },
    ],
    layout: { name: "preset", padding: 30 },
    // A wheel over the drawing scrolls the page, as everywhere else.
    userZoomingEnabled: false,
    minZoom: 0.2,
    maxZoom: 1.6,
  });
  drawn.on("tap", "node", (event) => {
    open((event.target as { id(): string }).id());
  });
  return drawn;
}

const shortened = (text: string): string => (text.length > 32 ? `${text.slice(0, 31)}…` : text);

import { SaxesParser } from "saxes";

/** An element with its attributes. Its text includes CDATA. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
};

type OpenElement = { name: string; attributes: Map<string, string>; children: XmlElement[]; text: string };

const MAX_DEPTH = 32;

class InvalidXml extends Error {}

/**
 * The root element; null when the text is not well formed, or has more than `maxNodes` elements and attributes. A DTD is
 * refused, so nothing can expand or be fetched, and names keep their prefixes.
 */
export function parseXml(text: string, maxNodes = Number.POSITIVE_INFINITY): XmlElement | null {
  const document: OpenElement = { name: "", attributes: new Map(), children: [], text: "" };
  try {
    // Some programs write an empty line before the XML declaration.
    parserInto(document, maxNodes).write(text.trimStart()).close();
  } catch (error) {
    if (error instanceof InvalidXml) return null;
    throw error;
  }
  return document.children[0] ?? null;
}

/** Adds the elements to a document. Throws at the first fault, because reporting all of them takes long. */
function parserInto(document: OpenElement, maxNodes: number): SaxesParser {
  const stack: OpenElement[] = [document];
  let here = document;
  let nodes = 0;
  const countNode = () => {
    if (++nodes > maxNodes) refuse();
  };
  const addText = (text: string) => {
    here.text += text;
  };
  const parser = new SaxesParser({ position: false });
  parser.on("error", refuse);
  parser.on("doctype", refuse);
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentagstart", countNode);
  parser.on("attribute", countNode);
  parser.on("opentag", ({ name, attributes }) => {
    if (stack.length > MAX_DEPTH) refuse();
    const element: OpenElement = { name, attributes: new Map(Object.entries(attributes)), children: [], text: "" };
    here.children.push(element);
    stack.push(element);
    here = element;
  });
  parser.on("closetag", () => {
    stack.pop();
    here = stack.at(-1) ?? document;
  });
  return parser;
}

function refuse(): never {
  throw new InvalidXml();
}

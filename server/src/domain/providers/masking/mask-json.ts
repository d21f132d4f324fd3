import type { Treatment } from "./field-names.ts";
import { type MaskRules, maskValue, namedTreatment, valueTreatment } from "./mask-value.ts";

type Frame = {
  readonly isObject: boolean;
  /** What an enclosing field decides for everything in it. */
  readonly treatment: Treatment;
  name: string;
  /** The value of `name` in a list of parameters such as {"name": "otp", "value": "1234"}. */
  label: string;
  expectsName: boolean;
};

const BARE = /[^\s"{}[\],:]+/y;
const LABELS = new Set(["name", "key", "param", "paramname", "parameter", "field"]);
const VALUES = new Set(["value", "val", "paramvalue"]);

/** Masks JSON token by token, so that what is cut off or not quite JSON is masked as well and the rest keeps its form. */
export function maskJson(text: string, rules: MaskRules, nested: (value: string) => string): string {
  const nesting = new Nesting(rules);
  let masked = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    const first = text.charAt(start);
    at = first === '"' ? endOfString(text, start) : endOfBare(text, start);
    if (!isValue(first)) {
      nesting.pass(first);
      continue;
    }
    const token = text.slice(start, at);
    const shown = first === '"' ? maskString(nesting.frame, token, rules, nested) : maskNumber(nesting.frame, token, rules);
    if (shown === token) continue;
    masked += text.slice(copied, start) + shown;
    copied = at;
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

/** Whether a string or a number begins with this character. */
function isValue(first: string): boolean {
  return first === '"' || first === "-" || (first >= "0" && first <= "9");
}

/** The objects and lists around the current place. */
class Nesting {
  readonly #root = frameOf("", "usual");
  readonly #enclosing: Frame[] = [];
  readonly #rules: MaskRules;
  frame = this.#root;

  constructor(rules: MaskRules) {
    this.#rules = rules;
  }

  pass(sign: string): void {
    const { frame } = this;
    if (sign === "{" || sign === "[") {
      this.#enclosing.push(frame);
      this.frame = frameOf(sign, inherited(frame, sign, this.#rules));
    } else if (sign === "}" || sign === "]") this.frame = this.#enclosing.pop() ?? this.#root;
    else if (sign === ",") frame.expectsName = frame.isObject;
    else if (sign === ":") frame.expectsName = false;
  }
}

/** After the closing quote, or the end of a text that is cut off. */
function endOfString(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** After a number or a word; after one character where there is neither. */
function endOfBare(text: string, start: number): number {
  BARE.lastIndex = start;
  return BARE.test(text) ? BARE.lastIndex : start + 1;
}

function frameOf(opening: string, treatment: Treatment): Frame {
  return { isObject: opening === "{", treatment, name: "", label: "", expectsName: opening === "{" };
}

/** An object under a readable name may hold fields of any kind; the elements of a list are what the list is. */
function inherited(frame: Frame, opening: string, rules: MaskRules): Treatment {
  const own = treatmentIn(frame, rules);
  return own === "readable" && opening === "{" ? "usual" : own;
}

function treatmentIn(frame: Frame, rules: MaskRules): Treatment {
  if (frame.treatment !== "usual" || !frame.isObject) return frame.treatment;
  return namedTreatment(VALUES.has(frame.name.toLowerCase()) && frame.label !== "" ? frame.label : frame.name, rules);
}

function scalarTreatment(frame: Frame, rules: MaskRules): Treatment {
  const own = treatmentIn(frame, rules);
  return frame.isObject ? valueTreatment(frame.name, own, rules) : own;
}

function maskString(frame: Frame, token: string, rules: MaskRules, nested: (value: string) => string): string {
  const value = textOf(token);
  if (frame.expectsName) {
    frame.name = value;
    return same(token, value, maskValue(value, "usual", rules));
  }
  if (LABELS.has(frame.name.toLowerCase())) frame.label = value;
  const treatment = scalarTreatment(frame, rules);
  return same(token, value, treatment === "usual" && !rules.readable.includes(value) ? nested(value) : maskValue(value, treatment, rules));
}

function maskNumber(frame: Frame, token: string, rules: MaskRules): string {
  return same(token, token, maskValue(token, scalarTreatment(frame, rules), rules));
}

function same(token: string, value: string, masked: string): string {
  return masked === value ? token : JSON.stringify(masked);
}

function textOf(token: string): string {
  if (!token.includes("\\") && token.length > 1 && token.endsWith('"')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.replace(/^"|"$/g, "").replace(/\\(["\\/])/g, "$1");
  }
}

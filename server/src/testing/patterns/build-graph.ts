import type { AST } from "@eslint-community/regexpp";
import type { Alphabet } from "./alphabet.ts";
import { conditionOf } from "./conditions.ts";
import type { Edge, Graph, PatternNode } from "./graph.ts";
import { NotAnalysable } from "./graph.ts";

type Context = {
  readonly nodes: PatternNode[];
  readonly alphabet: Alphabet;
  readonly isMultiline: boolean;
  /** A repetition that may have more rounds than this counts as one without a limit. */
  readonly mostCopies: number;
  /** The groups that are being added, so that a group which refers to itself is found. */
  readonly open: Set<AST.CapturingGroup>;
};

/** Adds a part of the pattern between two nodes. */
type Add = (context: Context, from: number, to: number) => void;

export type GraphOptions = {
  readonly mostCopies: number;
  /** Whether the pattern is tried at every position, or, if it is sticky, where the match before ends; or once only. */
  readonly tries: "all" | "one";
};

export function buildGraph(pattern: AST.Pattern, flags: string, alphabet: Alphabet, { mostCopies, tries }: GraphOptions): Graph {
  const context: Context = { nodes: [], alphabet, isMultiline: flags.includes("m"), mostCopies, open: new Set() };
  const start = addNode(context);
  const accept = addNode(context);
  const first = addNode(context);
  connect(context, start, { to: first, begins: start });
  if (tries === "all" && flags.includes("y")) connect(context, accept, { to: start, ends: start });
  else if (tries === "all") connect(context, start, { to: readingNode(context, alphabet.characters, start) });
  addAlternatives(pattern.alternatives)(context, first, accept);
  return { nodes: context.nodes, start, accept };
}

function addNode({ nodes }: Context): number {
  return nodes.push({ edges: [], reads: null }) - 1;
}

function connect({ nodes }: Context, from: number, edge: Edge): void {
  nodes[from]?.edges.push(edge);
}

function readingNode(context: Context, set: bigint, to: number): number {
  return context.nodes.push({ edges: [], reads: { set, to } }) - 1;
}

function addAlternatives(alternatives: readonly AST.Alternative[]): Add {
  return (context, from, to) => {
    for (const { elements } of alternatives) {
      const first = addNode(context);
      connect(context, from, { to: first });
      addSequence(elements.map(addElement))(context, first, to);
    }
  };
}

function addSequence(parts: readonly Add[]): Add {
  return (context, from, to) => {
    const last = parts.reduce((place, add) => {
      const next = addNode(context);
      add(context, place, next);
      return next;
    }, from);
    connect(context, last, { to });
  };
}

function addElement(element: AST.Element): Add {
  return (context, from, to) => {
    if (element.type === "Character" || element.type === "CharacterSet" || element.type === "CharacterClass") {
      connect(context, from, { to: readingNode(context, context.alphabet.maskOf(element), to) });
    } else if (element.type === "Quantifier") addRepetition(element)(context, from, to);
    else if (element.type === "Assertion") addAssertion(element)(context, from, to);
    else if (element.type === "Backreference") addBackReference(element)(context, from, to);
    else if (element.type === "Group" || element.type === "CapturingGroup") addGroup(element)(context, from, to);
    else throw new NotAnalysable(`${element.type} is not supported`);
  };
}

function addGroup(group: AST.Group | AST.CapturingGroup): Add {
  return (context, from, to) => {
    if (group.type === "CapturingGroup") context.open.add(group);
    addAlternatives(group.alternatives)(context, from, to);
    if (group.type === "CapturingGroup") context.open.delete(group);
  };
}

/** What a group has matched is among what the group can match. */
function addBackReference({ resolved }: AST.Backreference): Add {
  return (context, from, to) => {
    if (Array.isArray(resolved) || context.open.has(resolved)) throw new NotAnalysable("a back reference has more than one group");
    const uncertain = addNode(context);
    connect(context, from, { to: uncertain, condition: { kind: "unknown" } });
    connect(context, from, { to, condition: { kind: "unknown" } });
    addGroup(resolved)(context, uncertain, to);
  };
}

function addRepetition({ element, min, max }: AST.Quantifier): Add {
  const one = addElement(element);
  return (context, from, to) => {
    if (max <= context.mostCopies) return addCopies(one, min, max)(context, from, to);
    const fewest = min <= context.mostCopies ? min : 1;
    addSequence([...Array.from({ length: fewest }, () => one), addRounds(one), fewest === min ? skip : maybe])(context, from, to);
  };
}

const skip: Add = (context, from, to) => connect(context, from, { to });
const maybe: Add = (context, from, to) => connect(context, from, { to, condition: { kind: "unknown" } });

function addCopies(one: Add, min: number, max: number): Add {
  return (context, from, to) => {
    let place = from;
    for (let round = 0; round < max; round++) {
      if (round >= min) connect(context, place, { to });
      const next = addNode(context);
      one(context, place, next);
      place = next;
    }
    connect(context, place, { to });
  };
}

/** Any number of rounds. The engine stops at a round that reads nothing. */
function addRounds(one: Add): Add {
  return (context, from, to) => {
    const loop = addNode(context);
    const body = addNode(context);
    const end = addNode(context);
    connect(context, from, { to: loop });
    connect(context, loop, { to: body, begins: loop });
    one(context, body, end);
    connect(context, end, { to: loop, ends: loop });
    connect(context, loop, { to });
  };
}

function addAssertion(assertion: AST.Assertion): Add {
  return (context, from, to) => {
    const condition = conditionOf(assertion, context.alphabet, context.isMultiline);
    connect(context, from, { to, condition });
    // The text ahead is read, whether the rest of the pattern then matches or not.
    if (condition.kind !== "unknown" || assertion.kind !== "lookahead") return;
    const first = addNode(context);
    connect(context, from, { to: first, condition: { kind: "unknown" } });
    addAlternatives(assertion.alternatives)(context, first, addNode(context));
  };
}

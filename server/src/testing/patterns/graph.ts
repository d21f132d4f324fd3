// A pattern as a graph of nodes. An edge reads nothing; a node that reads has one set of characters and one successor.

/** What must be true of the characters around a place. `unknown`: it may or may not be true. */
export type Condition =
  | { readonly kind: "start" | "line_start" | "end" | "line_end" | "unknown" }
  | { readonly kind: "word_edge"; readonly negate: boolean }
  | { readonly kind: "before" | "after"; readonly set: bigint; readonly orEdge: boolean; readonly negate: boolean };

/** `begins` and `ends` name the repetition of which the edge begins or ends a round. */
export type Edge = { readonly to: number; readonly condition?: Condition; readonly begins?: number; readonly ends?: number };
export type PatternNode = { readonly edges: Edge[]; readonly reads: { readonly set: bigint; readonly to: number } | null };
export type Graph = { readonly nodes: readonly PatternNode[]; readonly start: number; readonly accept: number };

/** The pattern uses something that the analysis does not understand. */
export class NotAnalysable extends Error {}

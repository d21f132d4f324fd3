export type KnownPaths = {
  /** `path` in Fastify's format, with `:name` for a parameter. */
  readonly add: (path: string, methods: readonly string[]) => void;
  /** The methods of all routes that match this path; empty if none matches. */
  readonly methodsOf: (path: string) => readonly string[];
};

export function knownPaths(): KnownPaths {
  const known: { readonly segments: readonly string[]; readonly methods: readonly string[] }[] = [];
  return {
    add: (path, methods) => {
      known.push({ segments: path.split("/"), methods });
    },
    methodsOf: (path) => {
      const asked = path.split("/");
      const fitting = known.filter(({ segments }) => fits(segments, asked));
      return [...new Set(fitting.flatMap(({ methods }) => methods))].toSorted();
    },
  };
}

function fits(segments: readonly string[], asked: readonly string[]): boolean {
  if (segments.length !== asked.length) return false;
  return segments.every((segment, at) => (segment.startsWith(":") ? asked[at] !== "" : segment === asked[at]));
}

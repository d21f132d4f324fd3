import { type Breaker, CLOSED } from "./breaker.ts";

/** The breaker of a provider for one operator in this process. */
export type ProviderBreaker = { readonly provider: string; readonly operator: string; readonly breaker: Breaker };

export type Breakers = {
  readonly of: (provider: string, operator: string) => Breaker;
  readonly set: (provider: string, operator: string, breaker: Breaker) => void;
  /** Breakers with recent failures. */
  readonly troubled: () => readonly ProviderBreaker[];
  /** Closes a provider's breaker for one operator, or for all when the operator is null. */
  readonly reset: (provider: string, operator: string | null) => void;
};

export function createBreakers(): Breakers {
  // Holds only breakers with recent failures.
  const troubled = new Map<string, Breaker>();
  const list = () => [...troubled].map(([key, breaker]) => ({ ...readKey(key), breaker }));
  return {
    of: (provider, operator) => (troubled.size === 0 ? CLOSED : (troubled.get(`${provider}/${operator}`) ?? CLOSED)),
    set: (provider, operator, breaker) => {
      if (breaker !== CLOSED) troubled.set(`${provider}/${operator}`, breaker);
      else if (troubled.size > 0) troubled.delete(`${provider}/${operator}`);
    },
    troubled: list,
    reset: (provider, operator) => {
      const meant = list().filter((one) => one.provider === provider && (operator === null || one.operator === operator));
      for (const one of meant) troubled.delete(`${one.provider}/${one.operator}`);
    },
  };
}

// A provider's name contains no slash.
function readKey(key: string): { readonly provider: string; readonly operator: string } {
  const split = key.indexOf("/");
  return { provider: key.slice(0, split), operator: key.slice(split + 1) };
}

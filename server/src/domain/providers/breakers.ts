import { type Breaker, CLOSED } from "./breaker.ts";

/** The breaker of a provider for one operator, as this process has it. */
export type ProviderBreaker = { readonly provider: string; readonly operator: string; readonly breaker: Breaker };

export type Breakers = {
  readonly of: (provider: string, operator: string) => Breaker;
  readonly set: (provider: string, operator: string, breaker: Breaker) => void;
  /** Those that something has gone wrong with. */
  readonly troubled: () => readonly ProviderBreaker[];
  /** Closes a provider's breaker for an operator, or for all of them when none is named. */
  readonly reset: (provider: string, operator: string | null) => void;
};

export function createBreakers(): Breakers {
  // Only those that something has gone wrong with.
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

// A provider's name has no slash.
function readKey(key: string): { readonly provider: string; readonly operator: string } {
  const split = key.indexOf("/");
  return { provider: key.slice(0, split), operator: key.slice(split + 1) };
}

import { useState } from "react";

type Attempt = {
  readonly busy: boolean;
  /** Why the latest attempt was refused; null when it was not. */
  readonly error: unknown;
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
};

/** One thing at a time whose refusal is shown where it was asked for. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (refused) {
      setError(refused);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, attempt, forget: () => setError(null) };
}

import { useState } from "react";

type Attempt = {
  readonly busy: boolean;
  /** The error of the latest attempt; null when it succeeded. */
  readonly error: unknown;
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
};

/** Runs one action at a time and keeps its error, to be shown beside the form. */
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

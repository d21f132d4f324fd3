import type { ReactNode } from "react";
import { Notice } from "../../ui/page.tsx";
import type { Mapping } from "./data.ts";

const MEANINGS = ["success", "failed", "pending"] as const;
type Meaning = (typeof MEANINGS)[number];
const LABELS: Readonly<Record<Meaning, string>> = { success: "Success", failed: "Failed", pending: "Pending" };

type Props = {
  /** Null when the column has too many different values to be a status. */
  readonly words: readonly string[] | null;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  readonly error: string | undefined;
};

const normalised = (word: string) => word.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** Chooses a meaning for every value of the status column. */
export function StatusValues({ words, mapping, onChange, error }: Props): ReactNode {
  if (words === null) return <Notice tone="bad">This column has too many different values to be a status. Choose another column.</Notice>;
  const meaningOf = (word: string) => MEANINGS.find((meaning) => mapping[meaning].some((known) => normalised(known) === normalised(word)));
  const setMeaning = (word: string, meaning: Meaning | undefined) => {
    const without = (of: Meaning) => mapping[of].filter((known) => normalised(known) !== normalised(word));
    const lists = Object.fromEntries(MEANINGS.map((kind) => [kind, kind === meaning ? [...without(kind), word] : without(kind)]));
    onChange({ ...mapping, ...lists });
  };
  return (
    <>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3" aria-label="Status values">
        {words.map((word) => (
          <li key={word} className="flex items-center justify-between gap-3 rounded-lg border border-line px-3 py-2">
            <span className="min-w-0 break-words font-mono text-[0.8125rem]">{word === "" ? "(empty)" : word}</span>
            <select
              aria-label={`Meaning of ${word === "" ? "an empty cell" : word}`}
              className="input w-32"
              value={meaningOf(word) ?? ""}
              onChange={(event) =>
                setMeaning(
                  word,
                  MEANINGS.find((kind) => kind === event.target.value),
                )
              }
            >
              <option value="">Choose</option>
              {MEANINGS.map((meaning) => (
                <option key={meaning} value={meaning}>
                  {LABELS[meaning]}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {error !== undefined && <p className="mt-2 font-medium text-bad text-xs">{error}</p>}
    </>
  );
}

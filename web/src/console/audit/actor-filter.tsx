import { type ReactNode, useEffect, useId, useState } from "react";
import type { Filter, OwnInputProps } from "../../ui/lists/filter-bar.tsx";
import { usePaused } from "../../ui/lists/paused.ts";
import { actorOf, UNMATCHED } from "./actor.ts";
import { useActorNames, useNamedActors } from "./entry.ts";

const PAUSE_MILLISECONDS = 300;

/** Narrows the log to one staff member, key or member, by name or as the log writes it. */
export const ACTOR_FILTER: Filter = { kind: "own", name: "actor", label: "Who", input: (props) => <ActorFilter {...props} /> };

function ActorFilter({ id, value, onChange }: OwnInputProps): ReactNode {
  const list = useId();
  const known = useNamedActors();
  const nameOf = useActorNames();
  // Null while the text is not being edited; then the name of the chosen one is shown.
  const [text, setText] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(true);
  const settled = usePaused(text, PAUSE_MILLISECONDS);
  const choice = settled === null ? value : actorOf(settled, known);
  const isSettled = text !== null && settled === text;
  useEffect(() => {
    if (!isSettled || choice === UNMATCHED) return;
    if (isLeft) setText(null);
    if (choice !== value) onChange(choice);
  }, [isSettled, isLeft, choice, value, onChange]);
  return (
    <>
      <input
        id={id}
        type="text"
        className="input"
        list={list}
        placeholder="Name or staff:U…"
        autoComplete="off"
        spellCheck={false}
        value={text ?? (value === "" ? "" : nameOf(value))}
        aria-invalid={isSettled && isLeft && choice === UNMATCHED}
        aria-describedby={`${id}-note`}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={list}>
        {known.map(({ actor, name }) => (
          <option key={actor} value={known.filter((one) => one.name === name).length === 1 ? name : actor}>
            {actor}
          </option>
        ))}
      </datalist>
      <p id={`${id}-note`} className="mt-1 text-bad text-xs font-medium empty:hidden">
        {isSettled && isLeft && choice === UNMATCHED && "Choose somebody from the list, or clear the field."}
      </p>
    </>
  );
}

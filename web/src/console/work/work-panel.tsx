import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { TextArea } from "../../ui/forms/field.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useActorNames } from "../audit/entry.ts";
import { useMay, useSession, WORKERS } from "../session.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import { usePersonName, useWorkChanges, type WorkItem, type WorkSubject, workQuery } from "./work.ts";

/** Who handles a complaint, order or alert, and the notes of staff. */
export function WorkPanel({ subject }: { readonly subject: WorkSubject }): ReactNode {
  const query = useQuery(workQuery(subject));
  const isAllowed = useMay(WORKERS);
  return (
    <Section title="Handling and notes">
      <QueryView query={query} skeleton={<SkeletonCard lines={2} />}>
        {(item) => (
          <div className="space-y-4">
            <Assignee subject={subject} item={item} isAllowed={isAllowed} />
            <Notes item={item} />
            {isAllowed && <NoteForm key={subject.id} subject={subject} />}
          </div>
        )}
      </QueryView>
    </Section>
  );
}

type AssigneeProps = { readonly subject: WorkSubject; readonly item: WorkItem; readonly isAllowed: boolean };

function Assignee({ subject, item, isAllowed }: AssigneeProps): ReactNode {
  const me = useSession()?.user.user_id;
  const nameOf = usePersonName();
  const changes = useWorkChanges(subject);
  const { busy, error, attempt } = useAttempt();
  const [opened, setOpened] = useState<"hand over" | "take over" | null>(null);
  const holder = item.assigned_to;
  const take = () => (holder === null ? void attempt(() => changes.assign({ assigned_to: "me", note: "" })) : setOpened("take over"));
  return (
    <div className="space-y-3">
      <p>
        {holder === null ? (
          "Nobody handles this yet."
        ) : (
          <>
            Assigned to <b>{holder === me ? "you" : nameOf(holder)}</b> since <Time value={item.assigned_at} />.
          </>
        )}
      </p>
      {isAllowed && (
        <div className="flex flex-wrap gap-2">
          {holder !== me && (
            <Button busy={busy} onClick={take}>
              {holder === null ? "Assign to me" : "Take over"}
            </Button>
          )}
          <Button onClick={() => setOpened("hand over")}>{holder === null ? "Assign to a colleague" : "Hand over"}</Button>
          {holder === me && me !== undefined && (
            <Button busy={busy} onClick={() => void attempt(() => changes.assign({ assigned_to: null, note: "" }))}>
              Release
            </Button>
          )}
        </div>
      )}
      {error !== null && <ErrorCard error={error} />}
      {opened !== null && (
        <AssignDialog subject={subject} holder={holder} takeOver={opened === "take over"} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}

function Notes({ item: { notes } }: { readonly item: WorkItem }): ReactNode {
  const actorName = useActorNames();
  const personName = usePersonName();
  if (notes.length === 0) return <p className="text-soft">Notes of colleagues will appear here. Clients never see them.</p>;
  return (
    <ol aria-label="Notes" className="space-y-3">
      {notes.map((note) => (
        <li key={note.note_id} className="border-line border-l-2 pl-3">
          <p className="text-soft text-xs">
            <span className="font-medium text-ink">{actorName(note.author)}</span>
            {eventText(note, personName)}, <Time value={note.at} />
          </p>
          {note.text !== "" && <p className="whitespace-pre-wrap break-words">{note.text}</p>}
        </li>
      ))}
    </ol>
  );
}

function eventText(note: WorkItem["notes"][number], nameOf: (userId: string) => string): string {
  if (note.event === "released") return " released it";
  if (note.event === "note" || note.assigned_to === null) return "";
  return note.author === `staff:${note.assigned_to}` ? " took it" : ` assigned it to ${nameOf(note.assigned_to)}`;
}

function NoteForm({ subject }: { readonly subject: WorkSubject }): ReactNode {
  const { addNote } = useWorkChanges(subject);
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { text: "" } });
  const send = async ({ text }: { readonly text: string }) => {
    if (await attempt(() => addNote(text.trim()))) reset();
  };
  return (
    <form onSubmit={handleSubmit(send)} className="space-y-3" noValidate>
      <TextArea
        label="New note"
        hint="For colleagues only. It is recorded with your name and the time."
        rows={2}
        maxLength={2000}
        error={formState.errors.text?.message}
        {...register("text", { validate: (text) => text.trim() !== "" || "Enter a note." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" busy={busy}>
          Add note
        </Button>
      </div>
    </form>
  );
}

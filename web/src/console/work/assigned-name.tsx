import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { usePersonName } from "./work.ts";

/** In a row: the staff member who handles it, or nothing. */
export function AssignedName({ userId }: { readonly userId: string | null }): ReactNode {
  const nameOf = usePersonName();
  if (userId === null) return null;
  return (
    <span className="mt-1 flex max-w-36 items-center gap-1 text-soft text-xs" title={`Assigned to ${nameOf(userId)}`}>
      <UserRound aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{nameOf(userId)}</span>
    </span>
  );
}

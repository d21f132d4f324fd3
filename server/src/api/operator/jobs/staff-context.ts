import type { StaffRole } from "../../../domain/auth/user.ts";
import type { CellOfJob, JobContext, JobKind } from "../../../domain/jobs/kind.ts";
import { HOME_CELL } from "../../../platform/core/ids.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";

/** What a job of staff uses of a cell. */
export type StaffCell = CellOfJob & Pick<OperatorApiDependencies, "orders" | "callbacks">;

/** The context of staff jobs. They are at home, also with several cells. */
export type StaffWorkContext = Omit<JobContext, "allCells"> &
  Omit<StaffCell, "cell"> & {
    /** With several cells: all of them, home first. Throws while one does not answer. */
    readonly allCells?: () => readonly StaffCell[];
    /** With several cells: those that have answered since the start, home first. One of them may be away now. */
    readonly reachedCells?: () => readonly StaffCell[];
    /** With several cells: the orders of the cell that holds the account. */
    readonly ordersOf?: (accountId: string) => OperatorApiDependencies["orders"];
  };

export function staffCells(ctx: StaffWorkContext): readonly StaffCell[] {
  return ctx.allCells?.() ?? [{ ...ctx, cell: HOME_CELL }];
}

export type StaffKind = {
  readonly run: JobKind<StaffWorkContext>;
  /** The roles that may cancel the job and download its file. All roles see its progress. */
  readonly who: readonly StaffRole[];
};

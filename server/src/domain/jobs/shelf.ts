/** Where jobs and their files are kept, and what the columns that differ are called there. */
export type Shelf = {
  readonly jobs: string;
  readonly files: string;
  /** Of each lane one job runs at a time. */
  readonly lane: string;
  readonly askedBy: string;
};

/** Jobs of clients. An account is a lane. */
export const PORTAL_SHELF: Shelf = { jobs: "portal_jobs", files: "portal_files", lane: "account_id", askedBy: "user_id" };

/** Jobs of the operator's staff and programs. A kind is a lane, unless it says otherwise. */
export const STAFF_SHELF: Shelf = { jobs: "staff_jobs", files: "staff_files", lane: "lane", askedBy: "asked_by" };

/** Where jobs and their files are kept, and what the columns that differ are called there. */
export type JobTables = {
  readonly jobs: string;
  readonly files: string;
  /** Of each queue one job runs at a time. */
  readonly queue: string;
  readonly askedBy: string;
};

/** Jobs of clients. An account is a queue. */
export const PORTAL_JOBS: JobTables = { jobs: "portal_jobs", files: "portal_files", queue: "account_id", askedBy: "user_id" };

/** Jobs of the operator's staff and programs. A kind is a queue, unless it says otherwise. */
export const STAFF_JOBS: JobTables = { jobs: "staff_jobs", files: "staff_files", queue: "queue", askedBy: "asked_by" };

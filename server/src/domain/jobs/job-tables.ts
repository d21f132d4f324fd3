/** The tables of jobs and their files, and the columns whose names differ. */
export type JobTables = {
  readonly jobs: string;
  readonly files: string;
  /** One job of each queue runs at a time. */
  readonly queue: string;
  readonly askedBy: string;
};

/** Clients' jobs. Each account is a queue. */
export const PORTAL_JOBS: JobTables = { jobs: "portal_jobs", files: "portal_files", queue: "account_id", askedBy: "user_id" };

/** Jobs of staff and operator keys. Each kind is a queue unless the job names another. */
export const STAFF_JOBS: JobTables = { jobs: "staff_jobs", files: "staff_files", queue: "queue", askedBy: "asked_by" };

// Written by `npm run openapi` from the service's groups of roles. Do not edit.

export const STAFF_ROLES = {
  ADMINS: ["admin"],
  EVERYBODY: ["admin", "finance", "operations", "support", "auditor"],
  MONEY: ["admin", "finance"],
  OPERATIONS: ["admin", "operations"],
  SETTLERS: ["admin", "finance", "operations"],
  SUPPORT: ["admin", "operations", "support"],
  WORKERS: ["admin", "finance", "operations", "support"],
} as const;

export const MEMBER_ROLES = {
  BUILDERS: ["owner", "developer"],
  EVERYBODY: ["owner", "developer", "operations", "read_only"],
  OWNERS: ["owner"],
  WORKERS: ["owner", "developer", "operations"],
} as const;

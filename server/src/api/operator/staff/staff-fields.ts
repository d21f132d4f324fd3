import { z } from "zod";
import { STAFF_ROLES } from "../../../domain/auth/user.ts";
import { id, reason } from "../fields.ts";

export const staffParams = z.object({ user_id: id });
export const staffInvitationParams = z.object({ invitation_id: id });
export const staffInvitationBody = z.strictObject({ email: z.string().max(320), role: z.enum(STAFF_ROLES), reason });
export const staffRoleBody = z.strictObject({ role: z.enum(STAFF_ROLES), reason });

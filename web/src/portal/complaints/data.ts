import type { Schemas } from "../../portal-api.ts";

export type Complaint = Schemas["Complaint"];

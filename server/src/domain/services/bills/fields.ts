import { z } from "zod";
import { recordField } from "../signed/fields.ts";

export const billerIdField = z.string().min(1, "must not be empty").max(64, "is too long");
export const fetchRefField = recordField;
/** The biller decides which values are valid. */
export const paramsField = z.record(z.string(), z.string());

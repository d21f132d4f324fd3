import type { OperatorApi } from "../operator-api.ts";
import { typedCalls, typedList } from "../ui/requests/typed-calls.ts";

export const { get, post, upload } = typedCalls<OperatorApi>();

export const useList = typedList<OperatorApi>();

/** The 22 telecom circles of the catalogue, for checks without a database. */
export const CIRCLE_CODES: readonly string[] = "AP AS BR DL GJ HP HR JK KA KL KO MH MP MU NE OR PB RJ TN UE UW WB".split(" ");

/** Fails the test when a reply does not match the document. */
export declare function expectMatchesOpenApi(method: string, target: string, status: number, text: string): void;
/** Records a mismatch, which fails the test at its end. */
export declare function noteReply(method: string, target: string, status: number, text: string): void;
/** The mismatches recorded since the last call. */
export declare function takeMismatches(): readonly string[];

/** How long a test may take. A busy machine must not fail one. */
export const TEST_MILLISECONDS = 600_000;
/** How long a test waits for one event. Less than it may take, so that the event that did not happen is named. */
export const WAIT_MILLISECONDS = 570_000;

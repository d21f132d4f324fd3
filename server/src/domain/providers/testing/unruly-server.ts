export {
  BEHAVIOURS,
  type Behaviour,
  type Received,
  SLOW_MILLISECONDS,
  startUnrulyServer,
  type UnrulyServer,
  type Word,
  type Words,
} from "@corprail/connector/testing";

/** What the server sends, as its OpenAPI description says it; `npm run types` makes types of that. */

import type { AnswerView, FeedbackView, QueryView, StepView, ValueView } from "../../generated/api";

export type {
  AnswerView as Answer,
  CitationView as Citation,
  ClassDescription as ClassInfo,
  ConversationView as ConversationInfo,
  ConversationWithTurns as Conversation,
  ComparisonView as Comparison,
  ExplainedQuery,
  FactView as Fact,
  FeedbackView as Feedback,
  GraphDescription as Profile,
  GraphView as GraphInfo,
  NameView as FoundName,
  PartView as Cost,
  PinnedView as Pinned,
  PinView as Pin,
  ProblemBody as ProblemDetails,
  QueryView as QueryResult,
  Reading,
  RelationDescription as RelationInfo,
  RelationView as Relation,
  ReportEntry as ReportInfo,
  ReportView as Report,
  SessionView as Session,
  StepView as Step,
  SureQuestion,
  ThingView as Thing,
  TraceView as Trace,
  TurnView as Turn,
  UnknownView as Unknown,
  ValueView as Value,
  WordUse,
  WordView as DefinedWord,
} from "../../generated/api";

export type Scope = "ask" | "query" | "admin";
export type Verdict = FeedbackView["verdict"];
export type Phase = StepView["phase"];
export type Rung = NonNullable<AnswerView["rung"]>;
export type Row = (ValueView | null)[];
export type Table = Pick<QueryView, "variables" | "rows" | "truncated">;

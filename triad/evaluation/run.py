"""Runs an agent over a data set, and records the results.

A run is a folder (`triad.evaluation.folder`) that grows by a line for each question. It can be stopped at any moment,
and resumed: what is answered stays as it is, what failed is tried again, and the rest is asked, whatever order the
data set has by then. All numbers of its report come from the folder alone.
"""

from collections.abc import Callable, Collection, Container, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal as Choice, TypedDict, Unpack, overload

from triad.answers import Answer, to_json
from triad.configs import Config, load_config, make_config
from triad.datasets import DataSet, Item
from triad.errors import ConfigError
from triad.evaluation import environment, need_extra
from triad.evaluation.comparison import WATCHED, differences
from triad.evaluation.executors import executor_for
from triad.evaluation.executors.base import Agents, Dialogues, Job, Outcome, SharedBudget, ask, on_threads
from triad.evaluation.executors.processes import Processes
from triad.evaluation.folder import Key, Record, RecordDigest, RunFolder, Said, Writer
from triad.evaluation.gold import gold_answers, with_queries
from triad.evaluation.metrics.queries import failure_cause, shape
from triad.evaluation.metrics.scoring import Scores, score, score_turn
from triad.evaluation.plan import Estimate, combinations, estimate, folder_name, load_items, selected, with_selection
from triad.evaluation.progress import HOPELESS, Progress, Tally
from triad.evaluation.rendering import write_reports
from triad.evaluation.report import Report, worth
from triad.evaluation.summary import by_rung, summarise, summarise_sweep
from triad.log import logger
from triad.prompts import load_prompt
from triad.rdf import ResultSet
from triad.resources import refuse_links
from triad.text import without_secrets_of
from triad.trace import Trace, Usage

Listener = Callable[[Progress], None]


class _Options(TypedDict, total=False):
    limit: int | None
    ids: Collection[str] | None
    filter: Mapping[str, str] | None
    changes: Mapping[str, Any] | None
    out: str | Path | None
    resume: bool
    on_progress: Listener


@overload
def run(config: str | Path | Config, *, dry_run: Choice[False] = ..., **options: Unpack[_Options]) -> Report: ...


@overload
def run(config: str | Path | Config, *, dry_run: Choice[True], **options: Unpack[_Options]) -> Estimate: ...


def run(
    config: str | Path | Config,
    *,
    limit: int | None = None,
    ids: Collection[str] | None = None,
    filter: Mapping[str, str] | None = None,
    changes: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    dry_run: bool = False,
    on_progress: Listener | None = None,
) -> Report | Estimate:
    """Run an agent over a data set, and return the report.

    >>> report = run("demo", limit=10, out="runs/first")
    >>> report.questions, report.failed
    (10, 0)

    Args:
        config: A config, or the name or path of one.
        limit: How many questions to ask at most; by default what the config says, and so of the next two.
        ids: The ids of the questions to ask.
        filter: Tags that the questions to ask have.
        changes: Keys that replace those of the config, as `triad.configs.load_config` takes them.
        out: The run's folder; by default the config's, or ``runs/`` and the config's name.
        resume: Whether to go on with the run in that folder, if there is one.
        dry_run: Whether to estimate the cost without asking anything.
        on_progress: A function that is called with each finished question.

    Raises:
        ConfigError: The config cannot be used, or the folder holds another run.
        ServiceError: The graph, the index or the model cannot be reached.
    """
    need_extra()
    told = on_progress or (lambda _: None)
    settled, name = _settled(config, changes)
    settled = with_selection(settled, limit=limit, ids=ids, filter=filter)
    target = Path(out or settled.run.out or Path("runs") / name)
    runs = [(settled, target, name)]
    if settled.sweep:
        runs = [(one, target / folder_name(title), title) for title, one in combinations(settled)]
        refuse_links(*(folder for _, folder, _ in runs))
    sessions = [_Run(one, RunFolder(folder), title, resume, told) for one, folder, title in runs]
    if dry_run:
        estimates = [session.estimate() for session in sessions]
        total = Usage.total(one.usage for one in estimates)
        return Estimate(sum(one.questions for one in estimates), total, estimates[0].basis)
    for session in sessions:
        session.check()  # before any begins
    reports = [session.go() for session in sessions]
    if not settled.sweep:
        return reports[0]
    sweep = RunFolder(target)
    return write_reports(sweep, summarise_sweep(sweep, name, reports))


def _settled(config: str | Path | Config, changes: Mapping[str, Any] | None) -> tuple[Config, str]:
    if not isinstance(config, Config):
        return load_config(config, changes), Path(config).stem
    if changes:
        config = make_config({**config.model_dump(mode="json"), "folder": config.folder}, changes)
    return config, "run"


@dataclass
class _Run:
    config: Config
    folder: RunFolder
    name: str
    resume: bool
    on_progress: Listener

    def __post_init__(self) -> None:
        config = self.config
        self.data: DataSet = load_items(config)
        assert config.dataset is not None
        self.items = selected(self.data.items, config.dataset)
        self.selection = config.dataset.model_dump(mode="json", include={"limit", "ids", "filter"}, exclude_none=True)
        self.keys = without_secrets_of(config.with_cards())
        self.executor = executor_for(config, self.items)

    def estimate(self) -> Estimate:
        known: list[RecordDigest] = []
        if self.resume:
            self.check()
            known = list(self.folder.digests())
        done = {digest.key for digest in known if not digest.failed}
        left = sum(job.key not in done for job in self._jobs())
        return estimate(self.config, self.items, left, [digest.usage for digest in known])

    def check(self) -> None:
        """Refuse to mix two runs in one folder."""
        path = str(self.folder.path)
        if not self.folder.exists:
            if self.folder.answers.exists():
                raise ConfigError(
                    f"{path!r} holds answers of a run whose config.yaml is gone; name another folder (--out)"
                )
            return
        if not self.resume:
            raise ConfigError(f"{path!r} holds a run; resume it (--resume), or name another folder (--out)")
        if changed := differences(self.folder.config(), self.keys):
            lines = "\n  ".join(changed)
            raise ConfigError(
                f"the run in {path!r} was begun with another config, or by a version with other defaults:\n  {lines}\n"
                "undo the changes to resume it, or name another folder (--out)"
            )

    def go(self) -> Report:
        """Ask the questions that are not yet answered, and report on all."""
        with ExitStack() as opened:
            processes = None
            if self.executor == "processes":
                processes = opened.enter_context(closing(Processes.of(self.config)))
            writer = opened.enter_context(Writer(self.folder))
            self.check()  # again, for another process may have begun a run there meanwhile
            done, spent = self._done()
            budget = SharedBudget(self.config.run.budget, spent)
            agents = opened.enter_context(closing(Agents(self.config, budget)))
            session = environment.describe(agents.first, self.config.run.seed)
            for name in session["prompts"] if agents.first.models else ():
                load_prompt(name)  # so that a fault of one is told before a question is asked
            self._check_surroundings(session)
            session |= {
                "name": self.name,
                "selection": self.selection,
                "questions": len(done.keys() | {job.key for job in self._jobs()}),
                "malformed": [asdict(one) for one in self.data.malformed],
            }
            self.folder.begin(self.keys, session)
            stopped: str | None = "interrupted"
            try:
                chosen, answered = {str(item.question.id) for item in self.items}, {id_ for id_, _ in done}
                items = [item for item in self.data.items if str(item.question.id) in chosen | answered]
                items = list(with_queries(items, agents.first.schema, agents.first.index))
                self.items = [item for item in items if str(item.question.id) in chosen]
                gold = gold_answers(self.config, items, agents.first.graph, self.folder)
                self._rescore(items, done, gold)
                stopped = self._ask(agents, processes, budget, done, gold, writer)
            except KeyboardInterrupt:
                logger.warning("what is answered is kept in {}; --resume goes on from there", self.folder.path)
                raise
            finally:
                self.folder.end(ended=environment.now(), stopped=stopped, spent=asdict(budget.spent))
        return write_reports(self.folder, summarise(self.folder))

    def _done(self) -> tuple[dict[Key, RecordDigest], Usage]:
        """Return the questions that are answered, and what was spent, also on those that failed."""
        done = self.folder.repair() if self.folder.exists else {}
        texts = {str(item.question.id): item.question.text for item in self.data.items}
        for (id_, _), one in done.items():
            if (before := one.question.text) != (text := texts.get(id_, before)):
                raise ConfigError(
                    f"the data set has changed: the question {id_!r} was {before!r} and is {text!r}; "
                    "begin a new run (--out)"
                )
        spent = [Usage(**one["spent"]) for one in self.folder.environment()["sessions"] if "spent" in one]
        return done, max([Usage.total(one.usage for one in done.values()), *spent], key=lambda one: one.calls)

    def _rescore(self, items: Iterable[Item], done: Mapping[Key, RecordDigest], gold: Mapping[str, ResultSet]) -> None:
        """Score what was answered before by the gold of now, where it was scored by another, or by none."""
        by_id = {str(item.question.id): item for item in items}
        stale = {
            key
            for key, one in done.items()
            # what an earlier release scored has no fingerprint
            if key[0] in by_id and (one.gold_fingerprint or not one.scores)
            if one.gold_fingerprint != _fingerprint(by_id[key[0]], gold.get(key[0]))
        }

        def scored(record: Record) -> Record:
            if (record.id, record.repetition) not in stale:
                return record
            trace = record.answer.trace if record.answer else record.trace
            outcome = Outcome(record.answer, record.error, trace, record.seconds, record.unknown)
            again = _record(Job(by_id[record.id], record.repetition), outcome, gold.get(record.id))
            return replace(again, finished=record.finished)

        if stale:
            logger.warning("{} answers are scored again: their gold has changed, or was missing", len(stale))
            self.folder.rewrite(scored)

    def _check_surroundings(self, session: Mapping[str, Any]) -> None:
        """Refuse to go on over another graph, or with other prompts, weights or examples."""
        last = [session, *self.folder.environment()["sessions"]][-1]
        if changed := differences(*({key: one.get(key) for key in WATCHED} for one in (last, session))):
            lines = "\n  ".join(changed)
            raise ConfigError(
                f"since the run in {str(self.folder.path)!r} was begun, this has changed:\n  {lines}\n"
                "begin a new run (--out)"
            )

    def _jobs(self) -> Iterator[Job]:
        # The first turns of all dialogues come first, so that dialogues are under way side by side.
        items = sorted(self.items, key=lambda item: len(item.history))
        for repetition in range(1, self.config.run.repeat + 1):
            yield from (Job(item, repetition) for item in items)

    def _ask(
        self,
        agents: Agents,
        processes: Processes | None,
        budget: SharedBudget,
        done: Container[Key],
        gold: Mapping[str, ResultSet],
        writer: Writer,
    ) -> str | None:
        """Ask the questions that are not yet answered; return why the run stopped before its end, or None."""
        pending = [job for job in self._jobs() if job.key not in done]
        stopped: str | None = None

        def affordable() -> Iterator[Job]:
            nonlocal stopped
            for job in pending:
                if stopped := stopped or budget.reached():
                    return
                yield job

        total = len(self.items) * self.config.run.repeat
        tally = Tally(self.name, total - len(pending), total)
        self.on_progress(tally.at)
        with closing(self._outcomes(agents, processes, affordable())) as outcomes:
            for job, outcome in outcomes:
                if outcome.failure and outcome.stopped:
                    stopped = stopped or outcome.failure.message
                    continue
                record = _record(job, outcome, gold.get(str(job.item.question.id)))
                writer.append(record)
                if self.executor != "threads":
                    budget.add(record.usage)
                self.on_progress(tally.add(record))
                if tally.hopeless and stopped is None:
                    last = outcome.failure.message if outcome.failure else ""
                    stopped = f"the first {HOPELESS} questions failed, the last of them with: {last}"
        if stopped:
            logger.warning("the run stopped: {}; {} questions are left", stopped, tally.at.total - tally.at.done)
        return stopped

    def _outcomes(
        self, agents: Agents, processes: Processes | None, jobs: Iterator[Job]
    ) -> Generator[tuple[Job, Outcome]]:
        if processes is not None:
            return processes.outcomes(jobs)
        if self.executor != "threads":
            from triad.evaluation.executors.dask import on_dask

            return on_dask(self.config, jobs)
        dialogues = Dialogues()

        def outcome(job: Job) -> Outcome:
            agent = agents[job.repetition]
            if job.item.dialogue is not None:
                return dialogues.ask(agent, job.item, job.repetition)
            return ask(agent, job.item.question)

        return on_threads(outcome, jobs, self.config.run.workers)


def _record(job: Job, outcome: Outcome, gold: ResultSet | None) -> Record:
    item, answer, trace, unknown = job.item, outcome.answer, outcome.trace, outcome.unknown
    if unknown:
        unknown = replace(unknown, trace=None)
    shaped = {key: str(value) for key, value in shape(item.gold_query).items()} if item.gold_query else {}
    scores = _scores(item, gold, answer, trace, declined=outcome.declined)
    wrong = gold is not None and not unknown and scores["exact_match"] != 1
    question = item.question
    if trace and not question.language:
        question = replace(question, language=trace.question.language)
    return Record(
        id=job.key[0],
        question=question,
        repetition=job.repetition,
        answer_type=item.answer_type,
        tags={**shaped, **item.tags},
        gold=gold,
        gold_query=item.gold_query,
        expected=item.expected,
        answer=answer,
        unknown=unknown,
        error=outcome.failure,
        trace=None if answer else trace,
        scores=scores,
        gold_fingerprint=_fingerprint(item, gold),
        cause=failure_cause(item, answer) if wrong else None,
        usage=trace.usage if trace else Usage(),
        costs={
            "phase": trace.usage_by("phase"), "role": trace.usage_by("role"), "subtask": trace.usage_by("action"),
            **({"rung": rungs} if (rungs := by_rung(trace)) else {}),
        } if trace else {},
        said=_said(item, gold, answer or (unknown.guess if unknown else None)),
        phases=trace.seconds_by("phase") if trace else {},
        seconds=outcome.seconds,
        finished=environment.now(),
    )  # fmt: skip


def _fingerprint(item: Item, gold: ResultSet | None) -> str:
    """Return a text that changes when what a question is scored by does; an empty one without gold."""
    if gold is None and item.expected is None:
        return ""
    return environment.digest(to_json([gold, item.gold_query, item.expected]).encode(errors="surrogatepass"))


def _said(item: Item, gold: ResultSet | None, best: Answer | None) -> tuple[Said, ...]:
    """Return what each rung said, that of the answer, or of the best guess, first."""
    return tuple(
        Said(one.rung, one.confidence, worth(_scores(item, gold, one, one.trace)))
        for one in ((best, *best.below) if best else ())
        if one.rung
    )


def _scores(
    item: Item, gold: ResultSet | None, answer: Answer | None, trace: Trace | None, *, declined: bool = False
) -> Scores:
    """Return what a question's kind of gold says of an answer; nothing without gold."""
    if gold is not None:
        return score(item, gold, answer, trace)
    return score_turn(item.expected, answer, trace, declined=declined) if item.expected is not None else {}

"""Server-sent events: what becomes of a question, as it happens; and a client that leaves cancels it."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse

from triad.server.problems import of
from triad.server.views import StepView
from triad.trace import Step

UNBUFFERED: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of a stream, which nobody on its way is to hold back."""
PING: Final = 10.0
"""Seconds after which a stream that says nothing shows that it is there."""

T = TypeVar("T")


class Events:
    """What becomes of a question, as a stream of events; who inspects is told prompts and replies of the model, too."""

    def __init__(self, *, inspect: bool) -> None:
        self._inspect = inspect
        self._queue: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._steps = 0

    def step(self, step: Step) -> None:
        """Tell a step, from another thread."""
        self._steps += 1
        view = StepView.of(self._steps, step, inspect=self._inspect)
        self._loop.call_soon_threadsafe(self.tell, "step", view.model_dump(mode="json"))

    def tell(self, event: str, data: Any) -> None:
        """Tell something."""
        self._queue.put_nowait((event, data))

    def end(self) -> None:
        """Tell that nothing more comes."""
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[tuple[str, Any]]:
        """Yield the events until the work is done, and now and then that there are none."""
        while True:
            try:
                event = await asyncio.wait_for(self._queue.get(), PING)
            except TimeoutError:
                event = "", "ping"
            if event is None:
                return
            yield event

    async def of(
        self, work: Callable[[], Awaitable[tuple[str, Any]]], request_id: str
    ) -> AsyncGenerator[tuple[str, Any]]:
        """Yield the events of some work, which gives the last one; who stops reading cancels the work."""

        async def run() -> None:
            try:
                self.tell(*await work())
            except Exception as error:
                self.tell("error", of(error).body(request_id))
            finally:
                self.end()

        task = asyncio.create_task(run())
        try:
            async for event in self:
                yield event
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def sent(events: AsyncGenerator[tuple[str, Any]]) -> StreamingResponse:
    """Return a stream of events as an answer; an event without a name is a comment."""

    async def lines() -> AsyncIterator[bytes]:
        async with aclosing(events):
            async for name, data in events:
                if name:
                    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
                    yield f"event: {name}\ndata: {text}\n\n".encode(errors="replace")
                else:
                    yield f": {data}\n\n".encode()

    return StreamingResponse(lines(), media_type="text/event-stream", headers=UNBUFFERED)


class Gone(asyncio.CancelledError):
    """The client left: nothing is to catch it and go on, and nobody is told anything."""


async def unless_gone(request: Request, work: Awaitable[T]) -> T:
    """Wait for some work, and cancel it if the client leaves.

    Raises:
        Gone: The client left.
    """

    async def gone() -> None:
        # The body was read. To ask now and then whether the client is there costs hundreds that wait a tenth of the
        # server's time.
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task = asyncio.ensure_future(work)
    watch = asyncio.create_task(gone())
    try:
        done, _ = await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if task not in done:
            raise Gone
        return await task
    finally:
        watch.cancel()
        if not task.done():
            task.cancel()

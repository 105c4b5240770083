"""Charges for orders once they have shipped: TEMPORAL_ADDRESS=localhost:7233 TASK_QUEUE=fulfillment python3 worker.py"""

import asyncio
import os
from datetime import timedelta

from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import Worker

# A gap that lasts is accepted, such as that of a run which starts after the first announcements.
GAP_TIMEOUT = timedelta(minutes=1)


@workflow.defn(name="fulfillment")
class Fulfillment:
    def __init__(self) -> None:
        self.early: dict[int, dict] = {}  # by revision
        self.last = 0

    @workflow.signal
    def dockline(self, announcement: dict) -> None:
        data = announcement.get("data") or {}
        if data.get("revision", 0) > self.last:  # others are duplicates, or no announcements
            self.early[data["revision"]] = data

    @workflow.run
    async def run(self, subject: dict) -> str:
        while True:
            match await self.next():
                case "confirmed":
                    return "captured"  # your activity
                case "canceled" | "deleted":
                    return "released"

    async def next(self) -> str:
        """Waits for the announcement that comes next in the order of the subject; returns its milestone."""
        await workflow.wait_condition(lambda: bool(self.early))
        if not self.follows():
            try:
                await workflow.wait_condition(self.follows, timeout=GAP_TIMEOUT)
            except asyncio.TimeoutError:
                pass
        data = self.early.pop(min(self.early))
        self.last = data["revision"]
        return data["milestone"]

    def follows(self) -> bool:
        return (self.early[min(self.early)].get("previous") or 0) <= self.last


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    await Worker(client, task_queue=os.environ.get("TASK_QUEUE", "fulfillment"), workflows=[Fulfillment]).run()


if __name__ == "__main__":
    asyncio.run(main())

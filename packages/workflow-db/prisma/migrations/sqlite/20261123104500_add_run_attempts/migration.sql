-- CreateTable
CREATE TABLE "DagRunAttempt" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,
    "reusedSteps" INTEGER NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "status" TEXT,
    "exitCode" INTEGER,
    "error" TEXT,
    "ownerId" TEXT,

    PRIMARY KEY ("runId", "number"),
    CONSTRAINT "DagRunAttempt_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

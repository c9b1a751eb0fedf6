-- CreateTable
CREATE TABLE "DagRunAttempt" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,
    "reusedSteps" INTEGER NOT NULL,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "status" TEXT,
    "exitCode" INTEGER,
    "error" TEXT,
    "ownerId" TEXT,

    CONSTRAINT "DagRunAttempt_pkey" PRIMARY KEY ("runId","number")
);

-- AddForeignKey
ALTER TABLE "DagRunAttempt" ADD CONSTRAINT "DagRunAttempt_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;

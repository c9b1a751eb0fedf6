-- CreateTable
CREATE TABLE "QueuePause" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "pausedAt" DATETIME NOT NULL,
    "pausedBy" TEXT NOT NULL
);

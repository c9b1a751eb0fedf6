-- CreateTable
CREATE TABLE "QueuePause" (
    "name" TEXT NOT NULL,
    "pausedAt" TIMESTAMP(3) NOT NULL,
    "pausedBy" TEXT NOT NULL,

    CONSTRAINT "QueuePause_pkey" PRIMARY KEY ("name")
);

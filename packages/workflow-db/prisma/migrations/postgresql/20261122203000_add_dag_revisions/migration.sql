-- CreateTable
CREATE TABLE "DagRevision" (
    "fileName" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "change" TEXT NOT NULL,
    "hash" TEXT,
    "text" TEXT NOT NULL,
    "author" TEXT,
    "workspace" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "DagRevision_pkey" PRIMARY KEY ("fileName","number")
);

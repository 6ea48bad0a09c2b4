// Replays a file of inputs through @name@_axis and compares sums and classes:
//     iverilog -g2001 -o @name@_stream_tb.vvp @name@_stream_tb.v @name@_axis.v @name@_pipelined.v
//     vvp -n @name@_stream_tb.vvp +vectors=@name@_vectors.hex +most=1000
// A line of the file has the inputs and the outputs, in hexadecimal, the first one in the lowest bits.
`timescale 1ns / 1ns

module @name@_stream_tb;
    reg clk, reset, axis_valid, axis_last, axis_ready;
    reg [@x_top@:0] x;
    reg [@y_top@:0] expected;
    wire s_ready, m_valid, m_last;
    wire [@axis_y_top@:0] y_axis;
    @name@_axis axis (
        .aclk(clk), .aresetn(!reset),
        .s_axis_tdata(x[@axis_x_top@:0]), .s_axis_tvalid(axis_valid), .s_axis_tready(s_ready), .s_axis_tlast(axis_last),
        .m_axis_tdata(y_axis), .m_axis_tvalid(m_valid), .m_axis_tready(axis_ready), .m_axis_tlast(m_last)
    );
    // The answers that the stream must give next, in a ring buffer, each with its tlast.
    reg [@y_top@+1:0] waiting [0:4095];
    integer put, get, file, got, cycle, idle, inputs, answers, wrong, most;
    reg [8*1024-1:0] path;
    reg gone;

    initial begin
        if (!$value$plusargs("vectors=%s", path)) path = "@name@_vectors.hex";
        if (!$value$plusargs("most=%d", most)) most = 1000;
        file = $fopen(path, "r");
        put = 0; get = 0; cycle = 0; idle = 0; got = 2; inputs = 0; answers = 0; wrong = 0;
        gone = 1;
        clk = 0; reset = 1; x = 0; expected = 0;
        axis_valid = 0; axis_last = 0; axis_ready = 0;
        if (file == 0) $display("the file of inputs cannot be read");
        else begin
            #5 clk = 1;
            #5 clk = 0;
            reset = 0;
            // Inputs with gaps, and answers that are not always taken. An input stays until it is taken.
            while (idle < 4096 && (got == 2 || answers != inputs)) begin
                if (gone && got == 2) begin
                    got = inputs == most ? 0 : $fscanf(file, "%h %h", x, expected);
                    gone = got != 2;
                    axis_last = inputs % 5 == 4;
                end
                if (got != 2) idle = idle + 1;
                axis_valid = !gone && cycle % 11 != 3;
                axis_ready = cycle % 64 >= 40 ? 1'b1 : cycle % 3 == 0;
                #5;
                if (axis_valid && s_ready) begin
                    waiting[put % 4096] = {axis_last, expected};
                    put = put + 1;
                    inputs = inputs + 1;
                    gone = 1;
                end
                if (m_valid !== 1'b0 && axis_ready) begin
                    answers = answers + 1;
                    if ({m_last, y_axis} !== {waiting[get % 4096][@y_top@+1], waiting[get % 4096][@axis_y_top@:0]})
                        wrong = wrong + 1;
                    get = get + 1;
                end
                clk = 1;
                #5 clk = 0;
                cycle = cycle + 1;
            end
            if (answers != inputs) begin
                $display("the stream had %0d answers", answers);
                wrong = wrong + 1;
            end
            $display("@name@_axis: %0d inputs, %0d mismatches", inputs, wrong);
        end
        $finish;
    end
endmodule

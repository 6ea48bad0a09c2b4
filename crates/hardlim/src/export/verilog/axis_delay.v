// For the proof of @name@_axis: @name@_pipelined as a delay. Each bit of its outputs stands for some bits of its inputs,
// so that an exchanged bit is found.
module @name@_pipelined (
    input clk,
    input reset,
    input valid_in,
    output valid_out,
    @delay_ports@
);
    wire [@input_top@:0] X = {@delay_inputs@};
    reg [@latency@-1:0] VALID;
    reg [@latency@*@output_bits_in_all@-1:0] DATA;
    always @(posedge clk) begin
        VALID <= reset ? @latency@'b0 : {VALID, valid_in};
        DATA <= {DATA, @delay_value@};
    end
    assign valid_out = VALID[@latency@-1];
    assign {@delay_outputs@} = DATA >> (@latency@-1)*@output_bits_in_all@;
endmodule
